"""The pages of the window: widgets that show values and emit what people want; none knows a rule."""
