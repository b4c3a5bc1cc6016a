"""The keyless planner: free Chinese and English into tool calls, without a model."""
