import { InlineMarkdown } from '../../../features/markdown/Markdown.tsx';
import { WithLink } from '../../../features/markdown/WithLink.tsx';
import type { FieldRow } from '../../../features/reference/referenceTypes.ts';
import { fieldTree, type FieldNode } from './fieldTree.ts';
import classes from './FieldTree.module.css';

/** Fields below the object that they belong to, each with an anchor. */
export function FieldTree({ rows, anchors }: { rows: readonly FieldRow[]; anchors: string }) {
  return <FieldList nodes={fieldTree(rows, anchors)} />;
}

function FieldList({ nodes }: { nodes: readonly FieldNode[] }) {
  return (
    <ul className={classes.list}>
      {nodes.map(({ id, name, type, required, words, children }) => (
        <li key={id} id={id}>
          <WithLink id={id} label={name} inline>
            <code className={classes.name}>{name}</code>
            <span className={classes.type}>
              <InlineMarkdown source={type} />
              {required ? '' : ', optional'}
            </span>
          </WithLink>
          {words && (
            <p>
              <InlineMarkdown source={words} />
            </p>
          )}
          {children.length > 0 && <FieldList nodes={children} />}
        </li>
      ))}
    </ul>
  );
}
