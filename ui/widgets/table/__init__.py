"""The parts of the table page. Each shows what it is handed and tells what people want; none knows a rule."""
