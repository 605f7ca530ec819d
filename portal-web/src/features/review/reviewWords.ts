/** The label of the words that end a submission. */
export function notesLabel({ withdrawnByOwner }: { withdrawnByOwner: boolean }): string {
  return withdrawnByOwner ? 'Reason for withdrawing' : 'Decision notes';
}
