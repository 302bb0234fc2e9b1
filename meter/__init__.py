"""The linked progressive meter and the protocol tables speak with it."""
