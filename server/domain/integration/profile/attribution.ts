/** The credit that stands wherever data of the service are shown (docs/specification.md, “Attribution”); the badge says the same words. */
export const creditText = 'Data provided by the order-tracking service with user consent';
