import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { termsAcceptancesQuery } from './termsQueries.ts';

/** What the operator has accepted, when, and from where. */
export function AcceptancesPanel() {
  const [result, read] = useQuery({ query: termsAcceptancesQuery });
  return (
    <Panel title="Your acceptances" lead="Each acceptance applies to one version and is not carried forward to later ones.">
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ viewer }) =>
          viewer && viewer.termsAcceptances.length > 0 ? (
            <RecordList label="Your acceptances">
              {viewer.termsAcceptances.map(({ termsVersion, acceptedAt, ip }) => (
                <RecordRow
                  key={termsVersion}
                  title={
                    <Anchor component={Link} to={paths.terms(termsVersion)} fw={600}>
                      Integration Terms, version {termsVersion}
                    </Anchor>
                  }
                  facts={
                    <>
                      Accepted <RelativeTime value={acceptedAt} /> from <code>{ip}</code>, with the non-commercial statement and the
                      attribution rules
                    </>
                  }
                />
              ))}
            </RecordList>
          ) : (
            <Text c="dimmed">None yet. You accept the terms when you create your first integration.</Text>
          )
        }
      </Loaded>
    </Panel>
  );
}
