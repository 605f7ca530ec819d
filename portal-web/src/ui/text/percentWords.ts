/** A share of a whole, as in "43%". A share that is there is never none: less than a hundredth is "<1%". */
export function percentWords(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`;
}
