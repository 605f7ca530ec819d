/** The operator's pages of one integration, with the heights that they may have at 1280 and at 360 pixels. */
export const tabs: Readonly<Record<string, { readonly path: string; readonly high?: number; readonly highNarrow?: number }>> = {
  overview: { path: '', high: 1000, highNarrow: 1800 },
  requests: { path: '/requests', high: 2300 },
  webhooks: { path: '/webhooks' },
  certificates: { path: '/certificates' },
  deletions: { path: '/deletions', high: 900 },
  sandbox: { path: '/sandbox', high: 2300, highNarrow: 5000 },
  production: { path: '/production', high: 1200 },
  profile: { path: '/profile' },
};

/** Widths between which nothing may run over. */
export const widths = [320, 360, 768, 1280, 1600] as const;
