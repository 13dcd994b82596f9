import { SaxesParser } from 'saxes';

/** An object of a bucket. */
export interface BucketObject {
  readonly key: string;
  readonly etag: string;
  readonly bytes: number;
}

/** A page of a listing, and the token of the next one; undefined at the end. */
export interface BucketListPage {
  readonly objects: readonly BucketObject[];
  readonly next: string | undefined;
}

/** Parses the XML response of a listing; throws for an invalid one. */
export function parseBucketListPage(xml: string): BucketListPage {
  const objects: BucketObject[] = [];
  const path: string[] = [];
  let text = '';
  let object: Record<string, string> = {};
  let next: string | undefined;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    text = '';
    if (name === 'Contents') object = {};
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    const parent = path.at(-1);
    if (parent === 'Contents') object[name] = text;
    else if (parent === 'ListBucketResult' && name === 'NextContinuationToken') next = text;
    else if (name === 'Contents') objects.push(storedObject(object));
    text = '';
  });
  parser.write(xml).close();
  return { objects, next };
}

function storedObject({ Key, ETag, Size }: Record<string, string>): BucketObject {
  if (Key === undefined || ETag === undefined)
    throw new Error('an object in the listing has no key or no ETag');
  return { key: Key, etag: ETag, bytes: Number(Size ?? 0) };
}

/** Returns the error code in the body of a response; undefined for none. */
export function parseS3ErrorCode(body: string): string | undefined {
  return /<Code>([^<]{1,100})<\/Code>/.exec(body)?.[1];
}
