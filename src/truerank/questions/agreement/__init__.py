"""How far two rankings agree: Kendall's tau, AP correlation, Spearman's rho, rank-biased overlap; all with ties."""
