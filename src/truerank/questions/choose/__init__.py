"""A measure that suits readers, systems and judgments, by questions about them."""
