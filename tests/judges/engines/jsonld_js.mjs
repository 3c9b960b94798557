// jsonld.js as a process: a case a line, an answer a line, both JSON. `node jsonld_js.mjs FOLDER`, where FOLDER has
// `node_modules/jsonld`.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const jsonld = createRequire(process.argv[2] + '/')('jsonld');

async function answer({ operation, document, context, options, remote }) {
  const documentLoader = async (url) => {
    if (!(url in remote)) throw new Error(`nothing is known under ${url}`);
    return { contextUrl: null, documentUrl: url, document: remote[url] };
  };
  options = { ...options, documentLoader };
  switch (operation) {
    case 'expand': return jsonld.expand(document, options);
    case 'compact': return jsonld.compact(document, context, options);
    case 'flatten': return jsonld.flatten(document, null, options);
    case 'frame': return jsonld.frame(document, context, options);
    case 'to-rdf': return jsonld.toRDF(document, { ...options, format: 'application/n-quads' });
    case 'from-rdf': return jsonld.fromRDF(document, { ...options, format: 'application/n-quads' });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = { result: await answer(JSON.parse(line)) };
  } catch (error) {
    reply = { error: String((error.details && error.details.code) || error) };
  }
  process.stdout.write(JSON.stringify(reply) + '\n');
}
