"""Words that head a part of a reply, in the tongues that models fall into, by the name under which it is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: What a line may begin with to be a heading.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "thought": (
        "thought", "thoughts", "thought process", "reasoning", "analysis", "rationale", "thinking",
        "思考", "想法", "分析", "推理", "思路", "الفكرة", "التفكير", "विचार",
        "gedachte", "redenering", "myśl", "düşünce", "pemikiran", "suy nghĩ", "tanke", "my thinking",
        "chain of thought", "step by step", "생각", "분석", "gedanke", "gedanken", "überlegung", "pensée",
        "réflexion", "analyse",
        "pensamiento", "razonamiento", "análisis", "pensamento", "pensiero", "мысль", "мысли", "рассуждение",
    ),
    "plan": (
        "plan", "plans", "proposal", "allocation", "assignments", "assignment", "division of labour",
        "division of labor", "task division", "division of tasks", "task allocation", "task assignment",
        "task assignments", "role assignment", "role assignments", "roles", "work plan", "action plan", "next plan",
        "الخطة", "योजना", "rencana",
        "计划", "方案", "分工", "計画", "계획", "piano", "plano", "план",
    ),
    "content": (
        "content", "contents", "introduction", "self-introduction", "self-description",
        "内容", "自我介绍", "自己紹介", "내용", "자기소개", "inhalt", "vorstellung", "contenu", "contenido",
        "presentación",
    ),
    "speech": (
        "speech", "leadership speech", "campaign speech", "election speech", "campaign", "pitch", "campaign pitch",
        "演讲", "竞选演讲",
        "演説", "연설", "rede", "discours", "discurso", "discorso", "речь",
    ),
    "summary": (
        "summary", "summaries", "report", "status report", "status summary", "progress report", "progress summary",
        "findings", "总结", "摘要", "报告", "要約", "まとめ", "요약",
        "zusammenfassung", "bericht",
        "résumé", "resumen", "resumo", "riassunto", "итог", "отчёт",
    ),
    "action": ("action", "actions", "skill", "command", "tool call", "function call", "code", "الإجراء",
        "क्रिया", "actie",
        "akcja", "eylem", "tindakan", "hành động", "handling", "行动", "动作", "行動", "행동", "aktion",
        "aktionen", "acción", "acciones",
        "ação", "azione", "действие"),
    "message": ("message", "messages", "draft message", "الرسالة", "消息", "信息", "メッセージ",
        "메시지", "nachricht", "mensaje", "mensagem",
        "messaggio", "сообщение"),
    "option": ("option", "opt", "letter", "choice", "selection",
        "选项", "选择", "選択", "선택", "opción", "opção", "opzione", "wahl",
        "вариант"),
    "leader": (
        "leader", "first choice", "vote", "ruling", "القائد", "नेता", "candidate", "nominee", "winner", "领导者",
        "领导", "队长", "投票", "リーダー", "리더",
        "líder", "anführer",
        "leiter", "capo", "chef", "voto", "лидер",
    ),
    "answer": (
        "answer", "solution", "final answer", "decision", "verdict", "答案", "最终答案", "回答", "決定",
        "决定", "답", "antwort",
        "réponse", "respuesta",
        "resposta", "risposta", "ответ",
    ),
    "result": ("result", "results", "ranking", "结果", "結果", "결과", "ergebnis", "résultat", "resultado",
        "risultato"),
    "move": ("move", "shift", "移动", "移動", "이동", "bewegung", "mouvement", "movimiento"),
    "next": ("next", "next steps", "next step", "going forward", "what i will do", "what i do next"),
    "judgement": ("judgement", "judgment", "判断", "判断结果", "판단", "urteil", "jugement", "juicio"),
    "subskill": ("subskill", "sub-skill", "sub skill", "subskills", "sub-skills", "子技能"),
    "subtask": ("subtask", "sub-task", "sub task", "subtasks", "sub-tasks", "子任务"),
    "misplaced": ("misplaced", "misplaced things", "misplaced objects", "misplaced items"),
    "other": (
        "reason", "reasons", "السبب", "कारण", "contingency", "contingencies", "contingency plan", "fallback", "risks",
        "expected observation", "caveat", "caveats", "assumptions", "alternatives", "alternative", "backup",
        "deputy", "runner-up", "runner up",
        "explanation", "note", "notes", "observation", "observations", "status",
        "conclusion", "justification", "confidence", "expected result", "expected outcome", "理由", "原因", "이유",
        "grund",
        "begründung", "raison", "razón", "motivo", "причина", "correction",
    ),
}  # fmt: skip
#: What may stand before such a word without changing what it is.
BEFORE = (
    "my|the|our|your|final|new|next|revised|updated|proposed|overall|team|group|best|chosen|selected|task|corrected|"
    "correct|"
    "recommended|suggested|immediate|current|actual|winning|official|complete|full|short|selected|single|concrete|so|"
    "thus|"
    "therefore|hence|meine|mon|mi|ma|最终|最佳"
)
#: What turns it into something that was weighed, or done before.
DROPPED = (
    "previous|last|earlier|alternative|rejected|wrong|old|initial|first|draft|original|possible|other|second|backup|"
    "fallback|future|later|following|planned|candidate|discarded|considered"
)

NAMED = {word: name for name, words in HEADINGS.items() for word in words}
WORDS = "|".join(sorted((re.escape(w) for w in NAMED), key=len, reverse=True))
LEAD = rf"(?:(?:{BEFORE}|{DROPPED})(?:\s|(?<=[\u4e00-\u9fff]))){{0,3}}"
_DROPPED = re.compile(rf"\b(?:{DROPPED})\s", re.I)
_KEYED = re.compile(rf"{LEAD}(?:{WORDS})", re.I)


def named(key: object) -> str:
    """The heading that a key in JSON stands for, or nothing."""
    word = re.sub(r"[_\-\s]+", " ", str(key)).strip().lower()
    word = re.sub(r" (?:for|to|is)$", "", word)
    return name_of(word) if _KEYED.fullmatch(word) else ""


def name_of(said: str) -> str:
    """The name of a heading: of the longest of its words at the end; what was only weighed has that of no answer."""
    words = " ".join(said.lower().split())
    if words in NAMED:
        return NAMED[words]
    if _DROPPED.search(words):
        return "other"
    return next(NAMED[words[i:]] for i in range(len(words)) if words[i:] in NAMED)
