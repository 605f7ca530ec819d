/** The two statements of an acceptance, each to be made by itself. */
export const promises = {
  nonCommercial: {
    label: 'I use the data non-commercially',
    description:
      'No advertising, sponsorships, affiliate revenue, subscriptions, paid access, lead generation, data licensing or resale without a written agreement of its own. I tell the service before that changes.',
  },
  attribution: {
    label: 'I follow the attribution and app-link rules',
    description:
      'A readable credit and app link stand wherever the data is shown; in mixed output, at every single record that comes from the service.',
  },
} as const;
