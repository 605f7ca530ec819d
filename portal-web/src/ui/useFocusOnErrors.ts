import { useEffect, useRef, useState } from 'react';

const marked = '[aria-invalid="true"], input[data-error], [data-error] input';

/** After refusals are on the page, brings the reader to the first marked field of the form. */
export function useFocusOnErrors() {
  const formElement = useRef<HTMLFormElement>(null);
  const [request, setRequest] = useState(0);
  useEffect(() => {
    if (request > 0) formElement.current?.querySelector<HTMLElement>(marked)?.focus();
  }, [request]);
  return { formElement, bringToErrors: () => setRequest((count) => count + 1) };
}
