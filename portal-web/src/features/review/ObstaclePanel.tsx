import { Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { OwnReview } from './reviewQueries.ts';
import { ReviewTimes } from './ReviewTimes.tsx';

type ObstaclePanelProps = { obstacles: OwnReview['ownSubmissions']['obstacles']; slug: string };

/** What must be done before the integration can be submitted, each with a link. */
export function ObstaclePanel({ obstacles, slug }: ObstaclePanelProps) {
  return (
    <Panel title="Before you can submit" lead={<ReviewTimes />}>
      <Stack gap="md">
        {obstacles.map(({ kind, words }, index) => (
          <div key={kind}>
            <Text mb="xs">{words}</Text>
            {kind === 'logo' && (
              <Button component={Link} to={paths.profile(slug)} variant={index === 0 ? 'filled' : 'default'}>
                Go to the profile
              </Button>
            )}
            {kind === 'terms' && (
              <Button component={Link} to={paths.acceptTerms} variant={index === 0 ? 'filled' : 'default'}>
                Go to the terms
              </Button>
            )}
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
