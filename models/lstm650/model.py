"""The language model that the BF16 paper trains on PTB: the medium one of Zaremba, Sutskever and Vinyals (arXiv 1409.2329)."""

from recurrent import language_model


def model(batch=20):
    drops = [{"epoch": epoch, "factor": 1 / 1.2} for epoch in range(6, 39)]
    return language_model("lstm650", 650, batch, 39, {"initial": 1.0, "drops": drops}, 5.0, 0.5, 0.05, "bible")
