"""The frozen values that flow through the pipeline, one module per stage.

``frozen``        what all of them are, and recorded values
``cassette``      what a file holds, in the recorder's own order   (``formats`` write it)
``call``          one model call, in no provider's dialect         (``providers``)
``trajectory``    what the agent did, step by step                 (``trajectory``)
``leak``          where a secret stands in it                      (``leaks``)
``change``        what two trajectories do differently             (``diff``)
``review``        everything one comparison shows                  (``pipeline``)
``surroundings``  what is known beside the cassettes               (``sources``)
"""
