/**
 * The SDKs that agents are written with, as their makers ship them (test/agent/clients). What tests use of them is described here, so that the
 * types of this project do not depend on whether those packages are there.
 */
import { createRequire } from "node:module";

const clients = createRequire(new URL("./clients/package.json", import.meta.url));

export interface AnthropicMessage {
  id: string;
  model: string;
  content: ({ type: string } & Record<string, unknown>)[];
  stop_reason: string | null;
  usage: Record<string, unknown>;
}

export interface AnthropicClient {
  messages: {
    create(body: object, options?: { signal?: AbortSignal }): Promise<AnthropicMessage>;
    stream(
      body: object,
      options?: { signal?: AbortSignal },
    ): { finalMessage(): Promise<AnthropicMessage> } & AsyncIterable<{ type: string }>;
    countTokens(body: object): Promise<{ input_tokens: number }>;
  };
  models: { list(): Promise<{ data: { id: string }[] }> };
}

export interface ClientOptions {
  baseURL: string;
  apiKey: string;
  maxRetries?: number;
  timeout?: number;
  fetch?: unknown;
  middleware?: readonly unknown[];
}

export interface ApiError extends Error {
  status: number | undefined;
  type?: string;
}

interface Class<T, A extends unknown[]> {
  new (...args: A): T;
}

export const { default: Anthropic } = clients("@anthropic-ai/sdk") as {
  default: Class<AnthropicClient, [ClientOptions]> & { APIError: Class<ApiError, unknown[]> };
};

export interface ChatCompletion {
  choices: {
    message: {
      content: string | null;
      tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    };
    finish_reason: string;
  }[];
  usage?: Record<string, unknown>;
}

export interface OpenAiResponse {
  output: { type: string }[];
  output_text: string;
  usage?: { total_tokens: number };
}

export interface OpenAiClient {
  chat: {
    completions: {
      create(body: object): Promise<ChatCompletion>;
      stream(body: object): { finalChatCompletion(): Promise<ChatCompletion> };
    };
  };
  responses: {
    create(body: object): Promise<OpenAiResponse>;
    stream(body: object): { finalResponse(): Promise<OpenAiResponse> } & AsyncIterable<{ type: string }>;
  };
}

export const { default: OpenAI } = clients("openai") as { default: Class<OpenAiClient, [ClientOptions]> };

/** The part of the AI SDK that agents are written with. */
export interface AiSdk {
  generateText(options: object): Promise<{ text: string; steps: unknown[] }>;
  streamText(options: object): { text: PromiseLike<string>; consumeStream(): Promise<void> };
  wrapLanguageModel(options: { model: unknown; middleware: unknown }): unknown;
  stepCountIs(count: number): unknown;
  tool(options: object): unknown;
  jsonSchema(schema: object): unknown;
}

export const ai = clients("ai") as AiSdk;

export const { createAnthropic } = clients("@ai-sdk/anthropic") as {
  createAnthropic(options: { baseURL: string; apiKey: string }): (model: string) => unknown;
};
