/** The service counts an endpoint’s deliveries no further than this (`endpointHealth` in the domain). */
const most = 1000;

/** How many deliveries there are, as in "12" or "1,000 or more". */
export function boundedCount(count: number): string {
  return count >= most ? `${most.toLocaleString('en')} or more` : count.toLocaleString('en');
}
