/** The credit that appears wherever data of the service is shown (docs/specification.md, “Attribution”); the badge has the same words. */
export const creditText = 'Data provided by the order-tracking service with user consent';
