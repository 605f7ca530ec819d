type Pressed = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>;

/** Whether these keys are ⌘K or Ctrl K. */
export function isSearchKey({ key, metaKey, ctrlKey, altKey, shiftKey }: Pressed): boolean {
  return key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey && !shiftKey;
}
