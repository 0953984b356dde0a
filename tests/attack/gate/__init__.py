"""The gate: attacks as data, each with what it must come to, and a runner that holds the product to it."""
