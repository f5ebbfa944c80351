"""Scripts that make files of the package: small linear models, from sentences that come with it."""
