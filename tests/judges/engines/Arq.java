// Apache Jena ARQ as a process: a case a line, an answer a line, both JSON. `java -cp 'lib/*' Arq.java`

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.jena.atlas.json.JSON;
import org.apache.jena.atlas.json.JsonArray;
import org.apache.jena.atlas.json.JsonNull;
import org.apache.jena.atlas.json.JsonObject;
import org.apache.jena.atlas.json.JsonValue;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.query.ARQ;
import org.apache.jena.query.Query;
import org.apache.jena.query.QueryFactory;
import org.apache.jena.query.Syntax;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.QueryExec;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.system.Txn;
import org.apache.jena.update.UpdateFactory;

public class Arq {
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setErr(new PrintStream(PrintStream.nullOutputStream()));
        ARQ.setStrictMode();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject answer = new JsonObject();
            try {
                answer = answer(JSON.parse(line));
            } catch (Throwable error) {
                answer.put("error", String.valueOf(error));
            }
            out.println(answer.toString().replace('\n', ' ').replace('\r', ' '));
        }
    }

    static JsonObject answer(JsonObject question) {
        DatasetGraph data = DatasetGraphFactory.createTxnMem();
        Txn.executeWrite(data, () -> RDFParser.fromString(question.get("data").getAsString().value(), Lang.NQUADS)
            .labelToNode(LabelToNode.createUseLabelAsGiven()).parse(data));
        JsonObject answer = new JsonObject();
        if (question.hasKey("update")) {
            String text = question.get("update").getAsString().value();
            Txn.executeWrite(data, () ->
                UpdateExec.dataset(data).update(UpdateFactory.create(text, Syntax.syntaxSPARQL_11)).execute());
            JsonArray quads = new JsonArray();
            Txn.executeRead(data, () -> {
                for (Iterator<Quad> all = data.find(); all.hasNext(); ) {
                    Quad quad = all.next();
                    Node graph = quad.isDefaultGraph() ? null : quad.getGraph();
                    quads.add(terms(quad.getSubject(), quad.getPredicate(), quad.getObject(), graph));
                }
            });
            answer.put("quads", quads);
            return answer;
        }
        Query query = QueryFactory.create(question.get("query").getAsString().value(), Syntax.syntaxSPARQL_11);
        Txn.executeRead(data, () -> {
            try (QueryExec execution = QueryExec.dataset(data).query(query).timeout(20, TimeUnit.SECONDS).build()) {
                run(query, execution, answer);
            }
        });
        return answer;
    }

    static void run(Query query, QueryExec execution, JsonObject answer) {
        if (query.isAskType()) {
            answer.put("boolean", execution.ask());
        } else if (query.isConstructType()) {
            JsonArray triples = new JsonArray();
            for (Iterator<Triple> all = execution.constructTriples(); all.hasNext(); ) {
                Triple triple = all.next();
                triples.add(terms(triple.getSubject(), triple.getPredicate(), triple.getObject()));
            }
            answer.put("triples", triples);
        } else {
            RowSet rows = execution.select();
            List<Var> variables = new ArrayList<>(rows.getResultVars());
            JsonArray names = new JsonArray();
            variables.forEach(variable -> names.add(variable.getVarName()));
            JsonArray all = new JsonArray();
            while (rows.hasNext()) {
                Binding row = rows.next();
                all.add(terms(variables.stream().map(row::get).toArray(Node[]::new)));
            }
            answer.put("variables", names);
            answer.put("rows", all);
        }
    }

    static JsonArray terms(Node... nodes) {
        JsonArray terms = new JsonArray();
        for (Node node : nodes) {
            terms.add(term(node));
        }
        return terms;
    }

    static JsonValue term(Node node) {
        if (node == null) {
            return JsonNull.instance;
        }
        JsonArray term = new JsonArray();
        if (node.isURI()) {
            term.add("iri");
            term.add(node.getURI());
        } else if (node.isBlank()) {
            term.add("blank");
            term.add(node.getBlankNodeLabel());
        } else {
            term.add("literal");
            term.add(node.getLiteralLexicalForm());
            term.add(node.getLiteralDatatypeURI());
            term.add(node.getLiteralLanguage());
        }
        return term;
    }
}
