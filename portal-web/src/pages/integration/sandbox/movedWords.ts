/** Where a resource on a later page of the list has gone after a change. */
export function movedWords(id: string, filtered: boolean): string {
  return `${id} has changed and has moved to the first page${filtered ? ', if it still matches the filters' : ''}.`;
}
