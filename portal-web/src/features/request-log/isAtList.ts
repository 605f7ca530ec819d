/** Whether the reader is at a list: points at it, selects in it, is in it by keyboard, or has scrolled into it. */
export function isAtList(list: HTMLElement | null): boolean {
  if (!list) return false;
  const selection = window.getSelection();
  return (
    // After a tap, a telephone keeps an element hovered until the next one.
    (window.matchMedia('(hover: hover)').matches && list.querySelector('table:hover') !== null) ||
    list.querySelector('table :focus-visible') !== null ||
    (selection?.type === 'Range' && list.contains(selection.anchorNode)) ||
    list.getBoundingClientRect().top < 0
  );
}
