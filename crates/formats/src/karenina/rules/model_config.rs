//! The configuration of a language model. A scenario's node or an agentic trait may have one, which replaces the
//! configuration of the run.

use super::library_table::LIBRARY;
use crate::checking::schema::{
    FieldPlace, NumberBound, ObjectSchema, SchemaChecker, SchemaField, SchemaFieldType, closed_part,
    defaulted, listed, optional, required,
};
use NumberBound::{Above, AtLeast, Within};
use SchemaFieldType::{
    AnyObject, Array, Boolean, ByKey, Integer, IntegerOf, Json, Number, NumberOf, Object, OneOf, Text,
};
use evalgraph_json::{JsonKind, TokenId};

/// The interfaces that are built into the library.
const INTERFACES: &[&str] = &[
    "langchain",
    "openrouter",
    "openai_endpoint",
    "claude_agent_sdk",
    "manual",
    "claude_tool",
    "langchain_deep_agents",
    "taskeval",
];
/// The interfaces of agents that can judge a trait.
const AGENTS: &[&str] = &["claude_agent_sdk", "langchain_deep_agents"];
/// The interfaces that accept an Anthropic address and key.
const OF_ANTHROPIC: &[&str] = &["claude_agent_sdk", "claude_tool", "langchain", "langchain_deep_agents"];

static FIELDS: [SchemaField; 25] = [
    optional("id", Text),
    optional("model_provider", Text),
    optional("model_name", Text),
    defaulted("temperature", Number),
    defaulted("max_tokens", Integer),
    defaulted("interface", OneOf(INTERFACES)),
    optional("system_prompt", Text),
    defaulted("max_retries", Integer),
    optional("mcp_urls_dict", ByKey(&Text)),
    optional("mcp_tool_filter", Array(&Text)),
    optional("mcp_tool_description_overrides", ByKey(&Text)),
    optional("mcp_http_timeout", Number),
    optional("mcp_sse_read_timeout", Number),
    optional("endpoint_base_url", Text),
    optional("endpoint_api_key", Text),
    optional("anthropic_base_url", Text),
    optional("anthropic_api_key", Text),
    optional("agent_runtime", Object(&RUNTIME)),
    optional("extra_kwargs", AnyObject),
    optional("manual_traces", Json),
    optional("agent_middleware", Object(&MIDDLEWARE)),
    optional("max_context_tokens", Integer),
    optional("agent_timeout", Integer),
    optional("request_timeout", Number),
    optional("retry_policy", Object(&RETRIES)),
];

/// The model of a node.
pub(super) static MODEL: ObjectSchema = closed_part(&FIELDS).also(look_at_model);

/// The model of an agentic trait.
pub(super) static AGENT_MODEL: ObjectSchema = closed_part(&FIELDS).also(look_at_agent);

static RUNTIME: ObjectSchema = closed_part(&[
    optional("backend", OneOf(&["native", "filesystem", "container", "docker", "local_shell"])),
    defaulted("access_mode", OneOf(&["read_write", "read_only"])),
    defaulted("sandbox_enabled", Boolean),
    defaulted("container_runtime", OneOf(&["docker", "singularity", "apptainer"])),
    optional("container_image", Text),
    defaulted("container_network", OneOf(&["bridge", "none"])),
    defaulted("container_add_hosts", Array(&Text)),
    optional("read_max_bytes", IntegerOf(Above(0.0))),
]);

static MIDDLEWARE: ObjectSchema = closed_part(&[
    defaulted("limits", Object(&LIMITS)),
    defaulted("model_retry", Object(&MODEL_RETRY)),
    defaulted("tool_retry", Object(&TOOL_RETRY)),
    defaulted("summarization", Object(&SUMMARIZATION)),
    defaulted("prompt_caching", Object(&PROMPT_CACHING)),
]);

static LIMITS: ObjectSchema = closed_part(&[
    defaulted("model_call_limit", IntegerOf(AtLeast(1.0))),
    defaulted("tool_call_limit", IntegerOf(AtLeast(1.0))),
    defaulted("exit_behavior", OneOf(&["end", "continue"])),
]);

static MODEL_RETRY: ObjectSchema = closed_part(&[
    defaulted("max_retries", IntegerOf(AtLeast(0.0))),
    defaulted("backoff_factor", Number),
    defaulted("initial_delay", Number),
    defaulted("max_delay", Number),
    defaulted("jitter", Boolean),
    defaulted("on_failure", OneOf(&["continue", "raise"])),
]);

static TOOL_RETRY: ObjectSchema = closed_part(&[
    defaulted("max_retries", IntegerOf(AtLeast(0.0))),
    defaulted("backoff_factor", Number),
    defaulted("initial_delay", Number),
    defaulted("on_failure", OneOf(&["return_message", "raise"])),
]);

static SUMMARIZATION: ObjectSchema = closed_part(&[
    defaulted("enabled", Boolean),
    optional("model", Text),
    defaulted("trigger_fraction", NumberOf(Within(0.0, 1.0))),
    optional("trigger_tokens", IntegerOf(AtLeast(1.0))),
    defaulted("keep_messages", IntegerOf(AtLeast(1.0))),
]);

static PROMPT_CACHING: ObjectSchema = closed_part(&[
    defaulted("enabled", Boolean),
    defaulted("ttl", OneOf(&["5m", "1h"])),
    defaulted("min_messages_to_cache", IntegerOf(AtLeast(0.0))),
    defaulted("unsupported_model_behavior", OneOf(&["ignore", "warn", "raise"])),
]);

static RETRIES: ObjectSchema = closed_part(&[
    defaulted("connection", Object(&CATEGORY)),
    defaulted("timeout", Object(&CATEGORY)),
    defaulted("rate_limit", Object(&CATEGORY)),
    defaulted("server_error", Object(&CATEGORY)),
    optional("timeout_escalation", Object(&ESCALATION)),
]);

static CATEGORY: ObjectSchema = closed_part(&[
    defaulted("max_attempts", IntegerOf(AtLeast(0.0))),
    defaulted("backoff_min", NumberOf(AtLeast(0.0))),
    defaulted("backoff_max", NumberOf(AtLeast(0.0))),
    defaulted("backoff_multiplier", NumberOf(AtLeast(1.0))),
]);

static ESCALATION: ObjectSchema = closed_part(&[
    required("strategy", OneOf(&["additive", "multiplicative", "linear"])),
    defaulted("increment", NumberOf(AtLeast(0.0))),
    defaulted("multiplier", NumberOf(AtLeast(1.0))),
    optional("max_timeout", NumberOf(AtLeast(0.0))),
])
.also(look_at_escalation);

fn look_at_model(reader: &mut SchemaChecker<'_>, object: TokenId) {
    let interface = reader.text(object, "interface").unwrap_or("langchain".into());
    if interface == "manual" {
        let traces = reader.present(object, "manual_traces");
        if traces
            .is_none_or(|traces| matches!(reader.document.kind(traces), JsonKind::True | JsonKind::False))
        {
            let message = "the interface `manual` needs `manual_traces`";
            reader.fault(FieldPlace { object, key: "manual_traces" }, traces, message);
        }
        if reader.present(object, "mcp_urls_dict").is_some() {
            reader.fault_at(
                object,
                "mcp_urls_dict",
                "the interface `manual` does not accept `mcp_urls_dict`",
            );
        }
    } else {
        for key in ["id", "model_name"] {
            if reader.present(object, key).is_none() {
                let message = format!("the configuration of a model has no `{key}`");
                reader.fault(FieldPlace { object, key }, None, message);
            }
        }
    }
    look_at_anthropic(reader, object, &interface);
}

/// Checks that an Anthropic address or key is given only once, and only for an interface that accepts it.
fn look_at_anthropic(reader: &mut SchemaChecker<'_>, object: TokenId, interface: &str) {
    for (key, other) in [("anthropic_base_url", "base_url"), ("anthropic_api_key", "api_key")] {
        if reader.present(object, key).is_none() {
            continue;
        }
        let by_provider = interface.starts_with("langchain");
        let provider = reader.text(object, "model_provider");
        if !OF_ANTHROPIC.contains(&interface) {
            reader.fault_at(object, key, format!("the interface `{interface}` does not accept `{key}`"));
        } else if by_provider && provider.as_deref() != Some("anthropic") {
            reader.fault_at(object, key, format!("`{key}` needs \"model_provider\": \"anthropic\""));
        }
        let more = reader.present(object, "extra_kwargs");
        if more.is_some_and(|more| reader.present(more, other).is_some()) {
            reader.fault_at(object, key, format!("`{key}` is in `extra_kwargs` as well"));
        }
    }
}

fn look_at_agent(reader: &mut SchemaChecker<'_>, object: TokenId) {
    look_at_model(reader, object);
    let interface = reader.text(object, "interface").unwrap_or("langchain".into());
    if !AGENTS.contains(&interface.as_ref()) {
        let message =
            format!("`interface` of an agentic trait is `{interface}`, not one of {}", listed(AGENTS));
        reader.fault_at(object, "interface", message);
    }
}

fn look_at_escalation(reader: &mut SchemaChecker<'_>, object: TokenId) {
    let number =
        |key| reader.document.get(object, key).and_then(|value| LIBRARY.number(reader.document, value));
    let (key, is_enough) = match reader.text(object, "strategy").as_deref() {
        Some("additive") => ("increment", number("increment").is_some_and(|number| number > 0.0)),
        Some("multiplicative") => ("multiplier", number("multiplier").is_some_and(|number| number > 1.0)),
        Some("linear") => ("max_timeout", reader.present(object, "max_timeout").is_some()),
        _ => return,
    };
    if !is_enough {
        reader.fault_at(object, key, format!("the strategy of the escalation needs a larger `{key}`"));
    }
}
