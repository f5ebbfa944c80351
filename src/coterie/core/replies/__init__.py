"""Parse the replies of models: any format, nothing evaluated, and refused where a reply can be taken in two ways."""
