"""The frozen values that flow through the pipeline, one module per stage.

``cassette``    what a file holds, in the recorder's own order          (formats write it)
``call``        one model call, in no provider's dialect                (providers write it)
``trajectory``  what the agent did, step by step                        (trajectory.py writes it)
``change``      what two trajectories do differently                    (diff.py writes it)
``review``      everything one comparison shows                         (pipeline.py writes it)
``surroundings``  what is known beside the cassettes                      (sources write it)
"""
