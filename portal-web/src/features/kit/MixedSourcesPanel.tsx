import { List, Text } from '@mantine/core';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';

const marks = [
  ['Table or list', 'In each row or entry that comes from the service, for example in a source column or next to its title.'],
  ['Card or page of one order', 'On the card, next to the first value that comes from the service.'],
  ['Chart', 'In the legend and the tooltip of each series that comes from the service.'],
  ['Map', 'At each point, in its label or popup.'],
  ['Search result, computed value', 'At the result or value itself, even if only part of it comes from the service.'],
  ['Your own export or API', 'In a source column or field of each record.'],
  ['Notification', 'In the message itself.'],
] as const;

/** The attribution rules for output that mixes the service's data with others. */
export function MixedSourcesPanel() {
  return (
    <Panel
      title="Mixed sources"
      lead="Where data from the service appears next to data from elsewhere, readers must be able to tell which is which. Reviewers check each kind of output."
    >
      <List spacing="xs" maw={640} mb="md">
        <List.Item>
          <strong>Mark each one.</strong> Every record, entry, series, value, map point or result that comes from the service carries its
          own mark, right where it is shown.
        </List.Item>
        <List.Item>
          <strong>A footer is not enough.</strong> Nor is a page-wide credit, or the badge.
        </List.Item>
        <List.Item>
          <strong>Mark nothing else.</strong> Data from elsewhere must not look as if it came from the service.
        </List.Item>
      </List>
      <Text size="sm" fw={550} mb={6}>
        Where to put the mark
      </Text>
      <Facts facts={marks} />
    </Panel>
  );
}
