import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { colourJson } from '../../../features/reference/colourJson.ts';
import { Pieces } from '../../../features/reference/Pieces.tsx';
import type { Piece } from '../../../features/reference/referenceTypes.ts';
import { sampleRecord } from '../../../features/reference/sampleRecord.ts';
import { paths } from '../../../paths.ts';
import classes from './SampleOrder.module.css';

/** What says most about an order, in a dozen lines. */
const told = ['id', 'status', 'model', 'model_year', 'trim', 'exterior', 'delivery_estimate', 'production'] as const;

const shown = JSON.stringify(Object.fromEntries(told.map((name) => [name, sampleRecord[name]])), null, 2).replace(/\n\}$/, ',\n');
const sample: readonly Piece[] = [
  ...colourJson(shown),
  ['comment', `  … ${Object.keys(sampleRecord).length - told.length} more fields`],
  ['', '\n}'],
];

/** An order as a back end gets it, so that a visitor sees at once what there is to build on. */
export function SampleOrder() {
  return (
    <figure className={classes.sample}>
      <figcaption className={classes.caption}>
        <code>GET /v1/orders/{'{order_id}'}</code>
        <Text size="xs" c="dimmed" component="span">
          an order that a user shares
        </Text>
      </figcaption>
      <pre>
        <code>
          <Pieces pieces={sample} />
        </code>
      </pre>
      <Anchor component={Link} to={paths.operation('getOrder')} size="sm" className={classes.more}>
        Every field in the reference
      </Anchor>
    </figure>
  );
}
