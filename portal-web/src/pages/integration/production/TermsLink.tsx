import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { useSession } from '../../../features/session/SessionContext.ts';

/** The way to the terms, beside a refusal that they may be the reason for: a version may have been published while the page was open. */
export function TermsLink() {
  const { viewer } = useSession();
  if (!viewer || viewer.termsToAccept === null) return null;
  return (
    <Text size="sm">
      <Anchor component={Link} to={paths.acceptTerms} inherit>
        Read and accept version {viewer.termsToAccept} of the terms
      </Anchor>
    </Text>
  );
}
