import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../features/session/SessionContext.ts';
import { paths } from '../../paths.ts';
import { PageHeader } from '../layout/PageHeader.tsx';

/** For addresses that lead nowhere and for objects of other accounts. The words are the same for both. */
export function NotFoundPage() {
  const { viewer } = useSession();
  return (
    <>
      <PageHeader title="Page not found" lead="There is nothing at this address, or it belongs to another account." />
      <Text>
        Go to{' '}
        <Anchor component={Link} to={viewer ? paths.integrations : paths.landing}>
          {viewer ? 'your integrations' : 'the home page'}
        </Anchor>
        .
      </Text>
    </>
  );
}
