/** The two statements of an acceptance. Each has a checkbox of its own. */
export const promises = {
  nonCommercial: {
    label: 'I use the data non-commercially',
    description:
      'No advertising, sponsorships, affiliate revenue, subscriptions, paid access, lead generation, data licensing or resale without a separate written agreement. I tell the service before that changes.',
  },
  attribution: {
    label: 'I follow the attribution and app-link rules',
    description:
      'I show a readable credit and app link wherever the data is shown and, in mixed output, at every record that comes from the service.',
  },
} as const;
