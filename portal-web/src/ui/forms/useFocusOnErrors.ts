import { useEffect, useRef, useState } from 'react';

const marked = '[aria-invalid="true"], input[data-error], [data-error] input';

/**
 * After refusals are on the page, brings the reader to the first marked field of the form. Where a form has several steps, `step` is the one
 * that is shown: a refused field of another step is found once that step appears.
 */
export function useFocusOnErrors(step = 0) {
  const formElement = useRef<HTMLFormElement>(null);
  const [request, setRequest] = useState<{ step: number } | null>(null);
  useEffect(() => {
    if (request?.step === step) formElement.current?.querySelector<HTMLElement>(marked)?.focus();
  }, [request, step]);
  return { formElement, bringToErrors: (at = step) => setRequest({ step: at }) };
}
