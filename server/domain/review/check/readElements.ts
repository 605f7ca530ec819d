import { Tokenizer } from 'htmlparser2';

/** A start tag as it is written. Names are in lower case. */
export type HtmlElement = { readonly name: string; readonly attributes: ReadonlyMap<string, string> };

/** An ordinary page has some hundred. What follows after so many is not looked at. */
const mostElements = 5_000;

/**
 * The start tags of a page that have one of these attributes, with those attributes. What is written within comments, scripts and text fields is none.
 * It only splits the text into tags, so its time grows with the length alone; a tree could be nested so that it does not.
 */
export function readElements(html: string, wanted: ReadonlySet<string>): HtmlElement[] {
  const elements: HtmlElement[] = [];
  let name = '';
  let attribute: string | null = null;
  let value = '';
  let attributes: Map<string, string> | null = null;
  const end = (): void => {
    if (attributes) elements.push({ name: name.toLowerCase(), attributes });
    attributes = null;
    if (elements.length === mostElements) tokenizer.pause();
  };
  const nothing = (): void => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, to) {
        name = html.slice(start, to);
        attributes = null;
      },
      onattribname(start, to) {
        const written = html.slice(start, to).toLowerCase();
        attribute = wanted.has(written) ? written : null;
        value = '';
      },
      onattribdata(start, to) {
        if (attribute !== null) value += html.slice(start, to);
      },
      onattribentity(codePoint) {
        if (attribute !== null) value += String.fromCodePoint(codePoint);
      },
      // The first of two attributes of one name counts, as it does for browsers.
      onattribend() {
        if (attribute === null || attributes?.has(attribute)) return;
        attributes ??= new Map();
        attributes.set(attribute, value);
      },
      onopentagend: end,
      onselfclosingtag: end,
      oncdata: nothing,
      onclosetag: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(html);
  return elements;
}
