"""Circuit boards to order: a seat board for each place, placed and routed by rule."""
