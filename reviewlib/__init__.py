"""Read the cassettes of two git refs and say what the agent does differently."""
