/** The two statements of an acceptance. Each has a checkbox of its own. */
export const promises = {
  nonCommercial: {
    label: 'I use the data non-commercially',
    description:
      'No advertising, paid access, resale or other revenue without a written agreement. I tell the service before that changes.',
  },
  attribution: {
    label: 'I follow the attribution and app-link rules',
    description: 'A readable credit and app link wherever the data is shown; in mixed output, at every record.',
  },
} as const;
