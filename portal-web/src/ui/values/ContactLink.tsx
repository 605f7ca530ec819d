import { Anchor } from '@mantine/core';

/** How to reach the service's staff, as a link; a long address breaks where it must. */
export function ContactLink({ contact }: { contact: { readonly url: string; readonly text: string } }) {
  return (
    <Anchor href={contact.url} inherit style={{ overflowWrap: 'anywhere' }}>
      {contact.text}
    </Anchor>
  );
}
