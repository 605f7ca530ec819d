import { List, Text } from '@mantine/core';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';

const marks = [
  ['Table or list', 'In each row or entry that comes from the service, such as a source column or a mark beside its title.'],
  ['Card or page of one order', 'On the card, beside the first value that comes from the service.'],
  ['Chart', 'In the legend and the tooltip of each series that comes from the service.'],
  ['Map', 'At each point, in its label or what opens from it.'],
  ['Search result, computed value', 'At the result or value itself, also when only a part of it comes from the service.'],
  ['Export or API of your own', 'In a source column or field of each record.'],
  ['Notification', 'In the message itself.'],
] as const;

/** The attribution rules for output that mixes the service's data with others. */
export function MixedSourcesPanel() {
  return (
    <Panel
      title="Mixed sources"
      lead="Where data from the service stands beside data of other origin, readers must see which is which. Reviewers look at each kind of output."
    >
      <List spacing="xs" maw={640} mb="md">
        <List.Item>
          <strong>Mark each one.</strong> Every record, entry, series, value, map point or result that comes from the service carries its
          own mark, directly where it is shown.
        </List.Item>
        <List.Item>
          <strong>A footer is not enough.</strong> Neither is a credit for the whole page, nor the badge.
        </List.Item>
        <List.Item>
          <strong>Mark nothing else.</strong> Data of another origin must not look as if it came from the service.
        </List.Item>
      </List>
      <Text size="sm" fw={550} mb={6}>
        Where the mark stands
      </Text>
      <Facts facts={marks} />
    </Panel>
  );
}
