"""How the shipped models are made: render, train, export, evaluate."""
