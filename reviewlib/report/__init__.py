"""A review as text, Markdown, JSON, HTML, JUnit XML and SARIF. Reports format; what they print was counted by ``summary``.

``neutral``   recorded text made harmless: control characters, escape sequences, log commands
``values``    recorded values in the words of JSON
``wording``   the words and figures that text and Markdown share
``text``      for a terminal and a CI log
``recording`` one cassette for a terminal
``markdown``  for a comment on a pull request
``schema``    the models of the JSON, which are its published schema
``json``      the models filled in
``html``      one file to read from disk: the review and each pair step by step
``junit``     what the gate waits for, as the tests of a CI
``sarif``     findings and what the gate waits for, as code scanning reads them
"""
