"""A review as text, as Markdown and as JSON. Reports format; what they print was counted by ``summary``.

``neutral``   recorded text made harmless: control characters, escape sequences, log commands
``values``    recorded values in the words of JSON
``wording``   the words and figures that text and Markdown share
``text``      for a terminal and a CI log
``recording`` one cassette for a terminal
``markdown``  for a comment on a pull request
``schema``    the models of the JSON, which are its published schema
``json``      the models filled in
"""
