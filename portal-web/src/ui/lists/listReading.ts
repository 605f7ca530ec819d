import { createContext } from 'react';

/** How the last attempt to read a list went. */
type ListReading = {
  /** Why the list could not be read, or null. What was read before stays visible. */
  readonly failure: string | null;
  /** Whether the attempt has failed and what is shown belongs to another page than the address. */
  readonly behind: boolean;
  readonly onRetry: () => void;
};

/** Passed by `LoadedList` to the `PagedList` inside it. */
export const ListReadingContext = createContext<ListReading>({ failure: null, behind: false, onRetry: () => undefined });
