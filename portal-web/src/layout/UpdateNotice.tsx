import { Button, Container, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { onOutdated } from '../graphql/client.ts';
import classes from './UpdateNotice.module.css';

/** Offers to reload the page once the service has refused one of its operations because the portal was updated. Nobody is forced to. */
export function UpdateNotice() {
  const [outdated, setOutdated] = useState(false);
  useEffect(() => onOutdated(() => setOutdated(true)), []);
  return (
    <div role="status" className={outdated ? classes.notice : undefined}>
      {outdated && (
        <Container size={1200} px={{ base: 16, sm: 24 }}>
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              The portal has been updated since you opened this page. What you have entered here and not saved will be lost when you reload
              it.
            </Text>
            <Button size="xs" onClick={() => window.location.reload()}>
              Reload the page
            </Button>
          </Group>
        </Container>
      )}
    </div>
  );
}
