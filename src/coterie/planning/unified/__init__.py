"""Planning problems for `unified_planning`: as its objects, as PDDL text, and for the engines that it knows."""
