"""What a submission earns: the rubric, the rules that its source keeps, what running shows, and the result."""
