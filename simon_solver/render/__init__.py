"""Results as text and as JSON. Nothing here prints."""
