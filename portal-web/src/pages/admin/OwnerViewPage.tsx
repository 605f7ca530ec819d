import { Alert, Anchor } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { Provider } from 'urql';
import { lookingAsOwner, OwnerViewContext } from '../../features/integration/ownerView.ts';
import { leaveOwnersView, ownersViewClient } from '../../graphql/client.ts';
import { paths } from '../../paths.ts';
import { Component as IntegrationPage } from '../integration/frame/IntegrationPage.tsx';

/** The tabs of any integration as its owner sees them, for administrators to look at. */
export function Component() {
  const { slug = '' } = useParams();
  return <View key={slug} slug={slug} />;
}

function View({ slug }: { slug: string }) {
  const [{ client }] = useState(() => ownersViewClient(slug));
  useEffect(() => () => leaveOwnersView(slug), [slug]);
  return (
    <Provider value={client}>
      <OwnerViewContext value={lookingAsOwner}>
        <Alert variant="light" color="gray" role="note" mb="md" py="xs">
          You see this page as its owner sees it. Nothing can be changed here, secrets are left out, and the owner reads in their activity
          that administrators looked.{' '}
          <Anchor component={Link} to={paths.adminIntegration(slug)} inherit>
            Back to administration
          </Anchor>
        </Alert>
        <IntegrationPage />
      </OwnerViewContext>
    </Provider>
  );
}
